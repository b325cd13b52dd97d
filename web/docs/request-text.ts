/** The text of a file of this site. Rejects when there is no answer, or another one than a success. */
export async function requestText(path: string): Promise<string> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}.`);
  return response.text();
}
