/** Why a form is refused: one table, in the order in which the reasons are looked for. The first that applies is the answer. */
import { Fault, fault, invalid, NotFound, TooManyRequests } from '@suite/chassis';
import { isAllowed } from '../widgets/widget.rules.ts';
import { honeypotOf, type OpenForm } from '../lead-forms/form.rules.ts';
import { HONEYPOTS, type Submission } from '../lead-forms/form.schema.ts';
import type { OpenedFormToken } from '../lead-forms/form-token.ts';
import { type FormValues, readValues } from './form-value.rules.ts';

export const OriginNotAllowed = fault(403, 'origin_not_allowed', 'This page may not send the form.');
export const ConsentRequired = fault(422, 'consent_required', 'Agree to the privacy notice of the form first.');
export const FormChanged = fault(422, 'form_changed', 'The form has changed in the meantime. Reload it.');
export const FormExpired = fault(422, 'form_expired', 'The form has expired. Reload it.');
export const TooFast = fault(422, 'too_fast', 'The form was sent too soon. Send it again.');
export const SubmissionIdReused = fault(
  422,
  'submission_id_reused',
  'This submission_id was used for another form. Choose a new one.',
);

/** How often one token takes a form in an hour. */
export const SUBMISSIONS_AN_HOUR = 200;
const HOUR_MS = 3_600_000;
const AGE_MIN_MS = 2_000;
const AGE_MAX_MS = 24 * HOUR_MS;

/** Everything that is looked at before a form is taken. */
export interface Attempt {
  now: Date;
  /** The form; undefined for a token that opens none. */
  form: OpenForm | undefined;
  body: Omit<Submission, 'token'>;
  /** The origin of the page that sends it; empty where the browser told none. */
  origin: string;
  /** Our own origin, where the form is a page by itself or in a frame. */
  own_origin: string;
  idempotency_key: string | undefined;
  /** How often the token was used in this hour, this time included, and when the hour is over. */
  hits: { count: number; ends: Date };
  opened: OpenedFormToken | undefined;
}

/** The values of a form, or why they cannot be taken. */
export function valuesOf({ form, body, idempotency_key }: Attempt): FormValues | Fault {
  if (idempotency_key !== undefined && idempotency_key !== body.submission_id)
    return invalid('idempotency-key', 'Send the submission_id as the key, or no key.');
  const strange = HONEYPOTS.find((name) => body[name] !== undefined && name !== honeypotOf(form!));
  if (strange) return invalid(strange, 'Unknown field. Remove it.');
  return readValues(form!.fields, body.fields);
}

type Refuse = (attempt: Attempt) => Fault | undefined;

const notAllowed: Refuse = ({ origin, own_origin, form }) =>
  origin === own_origin || isAllowed(origin, form!.allowed_origins) ? undefined : OriginNotAllowed();

function tooOften({ hits: { count, ends }, now }: Attempt): Fault | undefined {
  if (count <= SUBMISSIONS_AN_HOUR) return undefined;
  return TooManyRequests({ retry_after_s: Math.max(1, Math.ceil((ends.getTime() - now.getTime()) / 1_000)) });
}

function notAgreed({ form, body: { consent }, opened }: Attempt): Fault | undefined {
  const { form_version } = form!;
  if (form!.consent.required && !consent?.accepted) return ConsentRequired();
  const loaded = opened?.form_version ?? form_version;
  return loaded !== form_version || (consent && consent.version !== loaded) ? FormChanged() : undefined;
}

function outOfTime({ opened, now }: Attempt): Fault | undefined {
  const age_ms = opened && now.getTime() - opened.issued_at.getTime();
  if (age_ms === undefined || age_ms > AGE_MAX_MS || age_ms < 0) return FormExpired();
  return age_ms < AGE_MIN_MS ? TooFast({ retry_after_s: 2 }) : undefined;
}

/** The reasons that the form itself decides on; the address was counted by the gateway before. */
export const DOOR = [
  ['token', ({ form }) => (form ? undefined : NotFound())],
  ['origin', notAllowed],
] as const satisfies readonly (readonly [string, Refuse])[];

/** The reasons after the use of the token was counted. A filled honeypot and a known submission are no refusals. */
export const CONTENT = [
  ['rate', tooOften],
  [
    'fields',
    (attempt) => {
      const values = valuesOf(attempt);
      return values instanceof Fault ? values : undefined;
    },
  ],
  ['consent', notAgreed],
  ['form_token', outOfTime],
] as const satisfies readonly (readonly [string, Refuse])[];

/** The first reason to refuse an attempt. */
export function refusalOf(reasons: readonly (readonly [string, Refuse])[], attempt: Attempt): Fault | undefined {
  for (const [, refuse] of reasons) {
    const refusal = refuse(attempt);
    if (refusal) return refusal;
  }
  return undefined;
}
