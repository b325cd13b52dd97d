import { createRandom, zipf, zipfWeights } from "../data/random.ts";
import { take } from "./draws.ts";

const REQUESTS = 200;

/** Requests that are asked for again and again: `all` of them, and the positions at which a long-tailed distribution draws one. */
export type Repeated = { all: string[]; draw: () => number; next: () => string };

/** The first 200 of an endless row, repeated. */
export function repeated(endless: Generator<string, never>): Repeated {
  const all = take(REQUESTS, endless);
  const rankOf = zipf(REQUESTS);
  const random = createRandom(1);
  const draw = () => rankOf(random);
  return { all, draw, next: () => all[draw()]! };
}

/** The answers to all of them, as the baseline sends them again. */
export async function answersOf(addresses: readonly string[], headers: Record<string, string>): Promise<string[]> {
  const answers: string[] = [];
  for (const address of addresses) {
    const answer = await fetch(address, { headers: { ...headers, "accept-encoding": "identity" } });
    answers.push(await answer.text());
  }
  return answers;
}

/** Mean size of the answers that are drawn, in bytes. */
export function meanSize(answers: readonly string[]): number {
  const weights = zipfWeights(answers.length);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const size = (answer: string) => Buffer.byteLength(answer);
  return Math.round(answers.reduce((total, answer, rank) => total + size(answer) * weights[rank]!, 0) / sum);
}
