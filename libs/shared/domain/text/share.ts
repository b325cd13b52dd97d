/** `20%` or `20` as 0.2; undefined where it is not a whole number of percent. */
export function shareOf(text: string): number | undefined {
  const [, percent] = /^(\d{1,3})%?$/.exec(text) ?? [];
  return percent === undefined || Number(percent) > 100 ? undefined : Number(percent) / 100;
}
