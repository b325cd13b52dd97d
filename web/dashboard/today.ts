import { requestJson } from "../ui/request.ts";
import { useLoad } from "../ui/use-load.ts";
import { API } from "./session.ts";

let asked: Promise<string> | undefined;
let known: string | undefined;

/** The day of the service, `YYYY-MM-DD`, which a fixed clock may set; undefined until it is known. It is read once in a tab. */
export function useToday(): string | undefined {
  const { value = known } = useLoad("today", () => {
    asked ??= read();
    return asked;
  });
  return value;
}

async function read(): Promise<string> {
  try {
    known = (await requestJson<{ today: string }>(`${API}/v1/freshness`)).body.today;
    return known;
  } finally {
    if (known === undefined) asked = undefined;
  }
}
