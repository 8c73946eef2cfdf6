/** Lookup of a form by its token, across all workspaces. */
import { everyWorkspace, sql } from '@suite/chassis/database';
import { derivedSecret, type Keys } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import type { Db, Read, Rpc } from '../../operations.ts';
import { tokenHash } from '../widgets/widget.ts';
import type { WidgetTexts, WidgetRow } from '../widgets/widget.schema.ts';
import type { OpenForm } from './form.rules.ts';

/** Form with all fields for showing it and receiving submissions. */
export interface Form extends OpenForm {
  workspace_id: string;
  /** Token as requested. */
  token: string;
  /** Internal name of the form for the users who manage it. */
  name: string;
  language: string;
  texts: Readonly<Record<string, WidgetTexts>>;
  colors: WidgetRow['colors'];
  redirect_url: string | null;
  pipeline_id: string;
  stage_id: string;
  owner_id: string;
  source_id: string | null;
  label_ids: string[];
  /** ISO 3166 alpha-2 country code. Empty if unknown. */
  country: string;
}

const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';
/** Module that a workspace needs for its forms. */
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
 * Returns the form with a token. Queries platform even for an invalid token, so that response times do not reveal valid
 * tokens.
 * @returns undefined for a token that is unknown, malformed or revoked. The result is the same if the workspace is
 * suspended or lacks the module.
 */
export async function openForm({ read, rpc }: { read: Read; rpc: Rpc }, token: string): Promise<Form | undefined> {
  const form = await read((db) => findForm(db, token));
  const { active, modules, country } = await rpc.platform.getWorkspace({
    workspace_id: form?.workspace_id ?? NO_WORKSPACE,
  });
  return form && active && modules.includes(MODULE) ? { ...form, country } : undefined;
}

/** Returns the key for form tokens, identical in all replicas. */
export const formKey = ({ private_key }: Keys): Buffer => derivedSecret(private_key, 'tokens of lead forms');
