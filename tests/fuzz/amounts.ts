/**
 * Amounts with more decimals than their currency: stored unchanged, or rejected with a message that names the field.
 */
import type { Reply } from '@suite/testing/http';
import type { ApiOperation, Schema } from '../suite/api-document.ts';

/** The pattern of amounts in bodies, positive or of either sign. Source: `Money` of the chassis. */
const AMOUNT = String.raw`\d{1,15}(\.\d{1,4})?$`;
/** An amount with three decimals, which no currency of the fuzzed workspace has. */
const OVER_PRECISE = '12.345';

const isAmount = ({ pattern, anyOf = [] }: Schema): boolean => pattern?.endsWith(AMOUNT) || anyOf.some(isAmount);

/** Yields copies of a body, each with another of its amounts replaced. */
function* replaceAmount(schema: Schema, value: unknown, place: string): Generator<{ place: string; value: unknown }> {
  if (isAmount(schema)) yield { place, value: OVER_PRECISE };
  else if (Array.isArray(value) && schema.items) {
    const [first, ...others] = value;
    for (const one of replaceAmount(schema.items, first, `${place}.0`)) yield { ...one, value: [one.value, ...others] };
  } else if (typeof value === 'object' && value !== null) {
    const fields = { ...schema.properties, ...schema.anyOf?.find(({ properties }) => properties)?.properties };
    for (const [name, field] of Object.entries(value)) {
      const inner = replaceAmount(fields[name] ?? {}, field, place ? `${place}.${name}` : name);
      for (const one of inner) yield { ...one, value: { ...value, [name]: one.value } };
    }
  }
}

/** A body with an amount that has too many decimals, and the place of that amount. */
export interface OverPrecise {
  place: string;
  body: Record<string, unknown>;
}

/** Returns bodies of an operation, each with one amount that has more decimals than its currency. */
export const overPreciseBodies = ({ body: schema = {} }: ApiOperation, sound: Record<string, unknown>): OverPrecise[] =>
  [...replaceAmount(schema, sound, '')].map(({ place, value }) => ({ place, body: value as Record<string, unknown> }));

const contains = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null ? Object.values(answer).some(contains) : answer === OVER_PRECISE;

/** @returns the violation in a response: it accepted an amount and stored another one */
export function findSilentRounding(
  { id }: ApiOperation,
  { place, body }: OverPrecise,
  reply: Reply,
): string | undefined {
  if (reply.status >= 300 || contains(reply.body)) return undefined;
  return `${id} rounds ${place}: ${JSON.stringify(body)}\n  is answered with ${JSON.stringify(reply.body).slice(0, 1_000)}`;
}
