/** For files with a digest in their name: they never change. */
export const FOR_EVER = "public, max-age=31536000, immutable";
