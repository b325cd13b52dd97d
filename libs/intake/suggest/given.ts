/** Answers by the id of their question; the id of a role, such as `amount`, takes a column or `none`. */
export type Answers = Readonly<Record<string, string>>;
