/** The way from a token to its form, over all workspaces. */
import { clock, derivedSecret, everyWorkspace, type Keys, sql } from '@suite/chassis';
import type { Db, Read, Rpc } from '../operations.ts';
import { tokenHash } from '../widgets/widget.ts';
import type { Texts, WidgetRow } from '../widgets/widget.schema.ts';
import type { OpenForm } from './form.rules.ts';

/** A form with all that is needed to show it and to take it in. */
export interface Form extends OpenForm {
  workspace_id: string;
  /** As it was asked for. */
  token: string;
  /** The name that those know it by who look after it. */
  name: string;
  language: string;
  texts: Readonly<Record<string, Texts>>;
  colors: WidgetRow['colors'];
  redirect_url: string | null;
  pipeline_id: string;
  stage_id: string;
  owner_id: string;
  source_id: string | null;
  label_ids: string[];
  /** ISO 3166 alpha-2; empty where it is not known. */
  country: string;
}

const NOBODY = '00000000-0000-0000-0000-000000000000';
/** The module that a workspace must have for its forms to work. */
const MODULE = 'crm';

const findForm = (db: Db, token: string): Promise<Omit<Form, 'country'> | undefined> =>
  everyWorkspace(db, async (all) => {
    const [form] = await all.rows<Omit<Form, 'country'>>(sql`
      SELECT widgets.*, widget_tokens.id AS token_id, widget_tokens.token
      FROM widget_tokens JOIN widgets ON widgets.id = widget_tokens.widget_id
      WHERE widget_tokens.token_hash = ${tokenHash(token)} AND widgets.status = 'active'
        AND (widget_tokens.expires_at IS NULL OR widget_tokens.expires_at > ${clock.now()}::timestamptz)`);
    return form;
  });

/**
 * The form with a token. Platform is asked also for a token that opens nothing, so that nobody can tell by the time which ones
 * are known.
 * @returns undefined for a token that is unknown, malformed or revoked, and where the workspace is suspended or has no such
 * module: all alike
 */
export async function openForm({ read, rpc }: { read: Read; rpc: Rpc }, token: string): Promise<Form | undefined> {
  const form = await read((db) => findForm(db, token));
  const { active, modules, country } = await rpc.platform.getWorkspace({ workspace_id: form?.workspace_id ?? NOBODY });
  return form && active && modules.includes(MODULE) ? { ...form, country } : undefined;
}

/** The key of the tokens of forms: the same in all replicas. */
export const formKey = ({ private_key }: Keys): Buffer => derivedSecret(private_key, 'tokens of lead forms');
