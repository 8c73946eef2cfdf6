/** Fields of a response that a stored response omits or replaces. */
import { z } from 'zod';
import { encryptedFields, secrets } from './fields.ts';

/** Returns the top-level fields of a schema that are in a registry. */
const fieldsOf = (schema: z.ZodType, registry: { has(field: z.ZodType): boolean }): string[] =>
  schema instanceof z.ZodObject
    ? Object.entries<z.ZodType>(schema.shape).flatMap(([name, field]) => (registry.has(field) ? [name] : []))
    : [];

/** Returns the fields of a response that are shown once. */
export const secretFields = ({ schema }: { schema: z.ZodType }): string[] => fieldsOf(schema, secrets);

/**
 * Returns the body of a response for storage. Fields that are shown once become null, and encrypted fields are omitted.
 */
export function withoutSecrets(reply: { schema: z.ZodType }, body: object): object {
  const names = secretFields(reply);
  const omitted = new Set(fieldsOf(reply.schema, encryptedFields));
  if (names.length + omitted.size === 0 || !('data' in body)) return body;
  const kept = Object.entries(body.data as object).filter(([name]) => !omitted.has(name));
  return { ...body, data: Object.fromEntries([...kept, ...names.map((name) => [name, null])]) };
}
