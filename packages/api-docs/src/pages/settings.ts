/** Table and JSON schemas of the settings of the processes, from the schemas that read them. */
import { z } from 'zod';

/** Schemas of settings by the names of their variables. */
export type Settings = Readonly<Record<string, z.ZodType>>;

/** Returns the default of a setting as an operator writes it: `required`, or nothing for an empty one. */
function defaultOf(setting: z.ZodType): string {
  const { success, data } = setting.safeParse(undefined);
  if (!success) return 'required';
  return data === undefined || data === '' || typeof data === 'object' ? '' : `\`${String(data)}\``;
}

/**
 * Returns a Markdown table with a row for each setting.
 * @param groups the settings by the processes that read them, such as `services`
 */
export function settingsTable(groups: Readonly<Record<string, Settings>>): string {
  const rows = Object.entries(groups).flatMap(([processes, settings]) =>
    Object.entries(settings).map(
      ([name, setting]) => `| \`${name}\` | ${processes} | ${defaultOf(setting)} | ${setting.description ?? ''} |`,
    ),
  );
  return ['| Variable | Read by | Default | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

/** JSON schema of a value. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Removes what only describes the schema itself. */
const withoutDialect = ({ $schema: _, default: _unused, ...schema }: JsonSchema): JsonSchema => schema;

/**
 * Returns the JSON schema of each setting: a number, one of several words, or a text. `secret` is true if the value contains
 * a password or key.
 */
export const settingsSchemas = (settings: Settings): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [
      name,
      withoutDialect(z.toJSONSchema(setting, { io: 'input', unrepresentable: 'any' })),
    ]),
  );
