/** Names that people give to mappings and sets: they stand in URLs, on command lines and in ids of documents. */
export const STORED_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const STORED_NAME_RULE = "letters, digits, '.', '_' and '-', beginning with a letter or digit, at most 64";
