/** The addresses of a feed link. `service`: the address of the API, without a path. */
export const feedUrls = (service: string, token: string): { atom: string; json: string } => {
  const base = `${service.replace(/\/$/, "")}/feeds/${token}`;
  return { atom: `${base}.atom`, json: `${base}.json` };
};
