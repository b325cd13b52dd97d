const NUMBER = new Intl.NumberFormat("en-US");

/** `31,679` */
export const shownNumber = (value: number): string => NUMBER.format(Math.round(value));

/** `1 round`, `31,679 rounds` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${shownNumber(count)} ${count === 1 ? one : many}`;
