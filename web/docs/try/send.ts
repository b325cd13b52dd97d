/** No more of an answer is read and shown: an export can be as large as the data. */
const MAX_CHARACTERS = 200_000;

export type Answered = {
  /** Status and time, and what is left of the minute. */
  summary: string;
  body: string;
};

/** Sends a request with a key. A failure is an answer, too. */
export async function send(url: string, key: string): Promise<Answered> {
  const started = performance.now();
  try {
    const response = await fetch(url, {
      credentials: "omit",
      headers: key === "" ? {} : { Authorization: `Bearer ${key}` },
    });
    const { text, isWhole } = await beginningOf(response);
    const ms = Math.round(performance.now() - started);
    const left = response.headers.get("X-RateLimit-Remaining");
    const summary = [`${response.status}`, `${ms} ms`, ...(left === null ? [] : [`${left} requests left this minute`])];
    return { summary: summary.join(" · "), body: isWhole ? pretty(text) : `${text}\n… (only the beginning is shown)` };
  } catch {
    return { summary: "no answer", body: "The service can't be reached. Check your connection." };
  }
}

async function beginningOf(response: Response): Promise<{ text: string; isWhole: boolean }> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
    if (text.length <= MAX_CHARACTERS) continue;
    await reader.cancel();
    return { text: text.slice(0, MAX_CHARACTERS), isWhole: false };
  }
  return { text, isWhole: true };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
