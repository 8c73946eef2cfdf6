/** Codes of projects: the prefixes of task numbers. An old code still resolves to its project. */
import { sql } from '@suite/chassis/database';
import { AlreadyExists } from '@suite/chassis/faults';
import type { Db } from '../../operations.ts';

const LENGTH_MAX = 10;
const FIRST_LETTERS = 3;
/** Code for a name without characters of the Latin alphabet. */
const NAMELESS = 'PR';

/** Returns the code that a name suggests: the initials of its words, or the first characters of a single word. */
export function codeFrom(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase();
  const words = plain.split(/[^A-Z0-9]+/).filter(Boolean);
  const initials = words.map(([first]) => first).join('');
  const isCode = (text: string) => /^[A-Z][A-Z0-9]+$/.test(text);
  const [beginning = ''] = words.map((word) => word.slice(0, FIRST_LETTERS)).filter(isCode);
  const code = isCode(initials) ? initials : beginning;
  return (code || NAMELESS).slice(0, LENGTH_MAX - 2);
}

/** Returns a code that no project has used: the suggested one, or the same with a number. */
export async function freeCode(db: Db, name: string): Promise<string> {
  const base = codeFrom(name);
  // Serialises transactions that create a code with the same prefix, so that each sees the codes of the others.
  await db.rows(sql`
    SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ${`project code ${base}`}, 0))`);
  const rows = await db.rows<{ code: string }>(sql`SELECT code FROM project_codes WHERE code LIKE ${`${base}%`}`);
  const taken = new Set(rows.map(({ code }) => code));
  if (!taken.has(base)) return base;
  for (let number = 2; ; number += 1) {
    const suffix = String(number);
    const code = `${base.slice(0, LENGTH_MAX - suffix.length)}${suffix}`;
    if (!taken.has(code)) return code;
  }
}

/** Reserves a code for a project. @throws AlreadyExists if another project has used it */
export async function claimCode(db: Db, project_id: string, code: string): Promise<void> {
  await db.rows(sql`
    INSERT INTO project_codes (code, project_id) VALUES (${code}, ${project_id}::uuid) ON CONFLICT DO NOTHING`);
  const [owner] = await db.rows<{ project_id: string }>(sql`SELECT project_id FROM project_codes WHERE code = ${code}`);
  if (owner?.project_id !== project_id) throw AlreadyExists({ code });
}
