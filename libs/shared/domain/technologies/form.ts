import { keyOf } from "../text/key.ts";

/**
 * The key of an unknown technology's name: significant signs are spelled out, so that C++, C# and .NET are `cplusplus`, `csharp` and
 * `dotnet`.
 */
export function spelledKey(name: string): string {
  return keyOf(
    name
      .normalize("NFKC")
      .replace(/(?<=[\p{L}\p{N}])\+\+/gu, "plusplus")
      .replace(/(?<=\p{L})[#♯](?![\p{L}\p{N}])/gu, "sharp")
      .replace(/(?<![\p{L}\p{N}])\.(?=\p{L})/gu, "dot"),
  );
}

/** The form by which names are looked up: the key without hyphens, so that `Node JS`, `node.js` and `NodeJS` are one. */
export function formOf(key: string): string {
  return key.replaceAll("-", "");
}
