const NUMBER = new Intl.NumberFormat("en-US");

/** `31,679` */
export const shownNumber = (value: number): string => NUMBER.format(Math.round(value));

/** `1 round`, `31,679 rounds` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${shownNumber(count)} ${count === 1 ? one : many}`;

/** `0.4 s`, `42 s`, `2 min 5 s`, `1 h 3 min`, `3 d 4 h` */
export function shownDuration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  const hours = Math.round(seconds / 3600);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** `512 B`, `1.5 MB`, `120 GB` */
export function shownBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${value < 9.95 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
