/** Table of the settings of the processes, from the schemas that read them. */
import type { z } from 'zod';

type Settings = Readonly<Record<string, z.ZodType>>;

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
