/**
 * Web forms as visitors see them, without authentication. Unknown, malformed and revoked tokens return the same
 * response.
 */
import { NotFound } from '@suite/chassis/faults';
import { ok, openToSites, sendToCaches, fileOf } from '@suite/chassis/operations';
import { query } from '../../operations.ts';
import { EMBED_SCRIPT } from './embed-script.ts';
import { FormQuery, LeadForm, PublicToken } from './form.schema.ts';
import { openForm } from './form-lookup.ts';
import { showForm } from './form.view.ts';
import { sendPage } from './form-page.ts';

const SCRIPT_MAX_AGE_S = 3_600;

export const show = query('GET /api/widget/{token}', {
  summary: 'Get the form of a widget',
  description:
    'Returns the form as JSON, or as a page for a frame on an allowed origin. A `form_token` expires after one day.',
  access: openToSites('widget'),
  params: { token: PublicToken },
  query: FormQuery,
  reply: ok(LeadForm),
  prepare: ({ params, ...context }) => openForm(context, params.token),
  async handle({ prepared: form, query: { lang }, keys, public_url }) {
    if (!form) throw NotFound();
    return showForm(form, { keys, public_url, lang });
  },
  formats: {
    html: async ({ record, ...context }) => sendPage(record, (await openForm(context, record.token))?.allowed_origins),
  },
});

export const embed = query('GET /api/widget/{token}/embed.js', {
  summary: 'Download the script of a web form',
  description:
    'Returns the script that shows the form in place of its script tag. `data-lang` of the tag selects the language.',
  addition: 'The script tag matches every path, so the script needs its own path.',
  access: openToSites('widget'),
  params: { token: PublicToken },
  reply: fileOf('text/javascript'),
  prepare: ({ params, ...context }) => openForm(context, params.token),
  async handle({ prepared: form }) {
    if (!form) throw NotFound();
    return sendToCaches(EMBED_SCRIPT, {
      max_age_s: SCRIPT_MAX_AGE_S,
      'Content-Type': 'text/javascript; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
    });
  },
});
