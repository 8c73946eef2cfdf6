/**
 * Warnings about the day of a document. Its year is in the number and in the books, where a mistyped year is permanent.
 */
import { z } from 'zod';
import { today } from '../runtime/clock.ts';
import type { Caller } from '../identity/identity.ts';
import type { Reply } from './operation.ts';

/** The fields with the day that an operation numbers or posts a document on. The body comes first. */
export interface DayFields {
  body?: string;
  record?: string;
}

/** Problem that does not prevent an action. */
export const Warning = z.object({ code: z.string(), message: z.string() });
type Warning = z.infer<typeof Warning>;

const DAY_MS = 86_400_000;
/** Chosen: a year and a day, so that the same day of a leap year is not unusual. */
const USUAL_DAYS = 366;

/** Returns a warning for a day that is more than a year away. */
function warningsAbout(day: string, now: string): Warning[] {
  if (Math.abs(Date.parse(day) - Date.parse(now)) <= USUAL_DAYS * DAY_MS) return [];
  return [{ code: 'unusual_date', message: `The date ${day} is more than a year away. Check its year.` }];
}

const schemasWithWarnings = new WeakMap<z.ZodObject, z.ZodObject>();

/** Returns a schema with `warnings`, unless its `effects` always contain them. */
function withWarnings(schema: z.ZodObject): z.ZodObject {
  if (schema.shape['effects'] instanceof z.ZodObject) return schema;
  let found = schemasWithWarnings.get(schema);
  if (!found) {
    const warnings = z
      .array(Warning)
      .default([])
      .describe('Problems that did not prevent the action. `unusual_date`: the date is more than a year away.');
    found = schema.extend({ warnings }).meta({ id: `${schema.meta()!['id']}WithWarnings` });
    schemasWithWarnings.set(schema, found);
  }
  return found;
}

/**
 * Declares the day on which an operation assigns a number or posts an entry. The response then warns about a day that is
 * more than a year away, in `warnings`, and in the `warnings` of its `effects`.
 */
export const withDateWarnings = <R extends Reply>(reply: R, days: DayFields): R => ({
  ...reply,
  schema: withWarnings(reply.schema as z.ZodObject),
  days,
});

interface BodyWithWarnings {
  warnings?: Warning[];
  effects?: { warnings: Warning[] } | null;
}

/** Adds the warnings about its day to a parsed response. Changes the response in place. */
export function addDateWarnings(
  days: DayFields | undefined,
  body: unknown,
  parsed: object,
  caller: Caller | null,
): void {
  const sent = days?.body && (body as Record<string, unknown> | undefined)?.[days.body];
  const day = sent ?? (days?.record && (parsed as Record<string, unknown>)[days.record]);
  if (typeof day !== 'string') return;
  const { warnings, effects } = parsed as BodyWithWarnings;
  const found = warningsAbout(day, today(caller?.timezone ?? 'UTC'));
  for (const list of [warnings, effects?.warnings]) list?.push(...found);
}
