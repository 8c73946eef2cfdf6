/** Letterhead of a workspace: header and footer of its PDFs. */
import { raw, sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { FileLinks, Storage, StoredFile } from '@suite/chassis/files';
import { readOne } from '@suite/chassis/lists';
import { type Drawing, redrawImage } from '@suite/images';
import type { GetLetterheadResponse } from '@suite/proto/platform/v1/platform';
import type { z } from 'zod';
import type { Db } from '../../operations.ts';
import { discardImages } from '../../identity/accounts/picture.ts';
import { Workspace } from './workspace.schema.ts';

/** Large enough for print at 300 dpi, and never larger than the original. */
const LOGO: Drawing = {
  name: 'logo.png',
  mime: 'image/png',
  draw: (image) =>
    image
      .resize(600, 240, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .png({ compressionLevel: 9, progressive: false }),
};

/** Returns the workspace as in the responses of operations. */
export async function showWorkspace(db: Db, id: string, links: FileLinks): Promise<z.input<typeof Workspace>> {
  const workspace = await readOne(db, Workspace, id, {
    table: 'workspaces',
    compute: {
      base_currency: sql`currency`,
      plan: sql`coalesce((SELECT entitlements.plan_code FROM entitlements WHERE entitlements.workspace_id = workspaces.id), workspaces.plan_code)`,
      logo_url: sql`logo`,
    },
  });
  const { logo_url: key } = workspace;
  const file = key && { key, name: LOGO.name, mime: LOGO.mime };
  return { ...workspace, logo_url: file && links.url('/api/workspace-logo', file) };
}

/**
 * Redraws an uploaded logo and replaces the original. @throws ValidationFailed for a file that is not a complete image
 * @returns its key
 */
export async function resizeLogo(files: StoredFile[], storage: Storage, workspace_id: string): Promise<string> {
  const [logo] = await redrawImage('logo', files, { storage, workspace_id }, [LOGO]);
  return logo!;
}

const LETTERHEAD = [
  ...(['name', 'address', 'tax_number', 'letter_footer', 'letter_locale', 'logo'] as const),
  ...(['contact_email', 'contact_phone', 'website'] as const),
];

const readLetterhead = (db: Db, id: string) =>
  db.rows<Record<(typeof LETTERHEAD)[number], string | null>>(
    sql`SELECT ${raw(LETTERHEAD.join(', '))} FROM workspaces WHERE id = ${id}::uuid`,
  );

/** Replaces or removes the logo. */
export async function replaceLogo(db: Db, id: string, logo: string | null): Promise<void> {
  await db.rows(sql`SELECT id FROM workspaces WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  const [before] = await readLetterhead(db, id);
  await discardImages(db, [before?.logo ?? null]);
  await db.rows(sql`UPDATE workspaces SET logo = ${logo} WHERE id = ${id}::uuid`);
}

/** Returns the letterhead as other services print it. */
export async function letterheadResponse(
  read: <T>(work: (db: Db) => Promise<T>) => Promise<T>,
  storage: Storage,
  workspace_id: string,
): Promise<GetLetterheadResponse> {
  const [found] = await read((db) => readLetterhead(db, workspace_id));
  if (!found) throw NotFound();
  const { name, address, tax_number, letter_footer: footer, letter_locale: locale, logo: key, ...contact } = found;
  const logo = key ? Buffer.from(await storage.read(key)) : Buffer.alloc(0);
  const text = (value: string | null) => value ?? '';
  return {
    name: text(name),
    address: text(address),
    tax_number: text(tax_number),
    footer: text(footer),
    locale: text(locale),
    logo,
    email: text(contact.contact_email),
    phone: text(contact.contact_phone),
    website: text(contact.website),
  };
}
