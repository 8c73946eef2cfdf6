/** Reasons for rejecting a form, in the order of the checks. The first reason that applies is returned. */
import { Fault, fault, invalid, NotFound, TooManyRequests } from '@suite/chassis/faults';
import { isAllowed } from '../widgets/widget.rules.ts';
import { honeypotOf, type OpenForm } from '../lead-forms/form.rules.ts';
import { HONEYPOTS, type Submission } from '../lead-forms/form.schema.ts';
import type { OpenedFormToken } from '../lead-forms/form-token.ts';
import { type FormValues, readValues } from './form-value.rules.ts';

export const OriginNotAllowed = fault(
  403,
  'origin_not_allowed',
  'This page is not allowed to send the form. Add its origin to the form.',
);
export const ConsentRequired = fault(422, 'consent_required', 'Your consent is required. Agree to the privacy notice.');
export const FormChanged = fault(422, 'form_changed', 'The form has changed in the meantime. Reload it.');
export const FormExpired = fault(422, 'form_expired', 'The form has expired. Reload it.');
export const TooFast = fault(422, 'too_fast', 'The form was sent too soon. Send it again.');
export const SubmissionIdReused = fault(
  422,
  'submission_id_reused',
  'This submission belongs to another form. Reload the form.',
);

/** Maximum number of accepted submissions per token and hour. */
export const SUBMISSIONS_AN_HOUR = 200;
const HOUR_MS = 3_600_000;
const AGE_MIN_MS = 2_000;
const AGE_MAX_MS = 24 * HOUR_MS;

/** Data that is checked before a form is accepted. */
export interface SubmissionAttempt {
  now: Date;
  /** The form. Undefined if the token is unknown. */
  form: OpenForm | undefined;
  body: Omit<Submission, 'token'>;
  /** Origin of the page that sends the form. Empty if the browser sent none. */
  origin: string;
  /** Origin of the suite itself, where the form is a separate page or in a frame. */
  own_origin: string;
  idempotency_key: string | undefined;
  /** Number of uses of the token in this hour, including the current one, and the end of the hour. */
  hits: { count: number; ends: Date };
  opened: OpenedFormToken | undefined;
}

/** Returns the values of a form, or the fault if they are invalid. */
export function valuesOf({ form, body, idempotency_key }: SubmissionAttempt): FormValues | Fault {
  if (idempotency_key !== undefined && idempotency_key !== body.submission_id)
    return invalid('idempotency-key', 'Use the submission_id as the idempotency key, or send no key.');
  const strange = HONEYPOTS.find((name) => body[name] !== undefined && name !== honeypotOf(form!));
  if (strange) return invalid(strange, 'Unknown field. Remove it.');
  return readValues(form!.fields, body.fields);
}

type SubmissionCheck = (attempt: SubmissionAttempt) => Fault | undefined;

const checkOrigin: SubmissionCheck = ({ origin, own_origin, form }) =>
  origin === own_origin || isAllowed(origin, form!.allowed_origins) ? undefined : OriginNotAllowed();

function checkRate({ hits: { count, ends }, now }: SubmissionAttempt): Fault | undefined {
  if (count <= SUBMISSIONS_AN_HOUR) return undefined;
  return TooManyRequests({ retry_after_s: Math.max(1, Math.ceil((ends.getTime() - now.getTime()) / 1_000)) });
}

function checkConsent({ form, body: { consent }, opened }: SubmissionAttempt): Fault | undefined {
  const { form_version } = form!;
  if (form!.consent.required && !consent?.accepted) return ConsentRequired();
  const loaded = opened?.form_version ?? form_version;
  return loaded !== form_version || (consent && consent.version !== loaded) ? FormChanged() : undefined;
}

function checkAge({ opened, now }: SubmissionAttempt): Fault | undefined {
  const age_ms = opened && now.getTime() - opened.issued_at.getTime();
  if (age_ms === undefined || age_ms > AGE_MAX_MS || age_ms < 0) return FormExpired();
  return age_ms < AGE_MIN_MS ? TooFast({ retry_after_s: 2 }) : undefined;
}

/** Reasons that depend on the form itself. The gateway has already counted the address. */
export const FORM_CHECKS = [
  ['token', ({ form }) => (form ? undefined : NotFound())],
  ['origin', checkOrigin],
] as const satisfies readonly (readonly [string, SubmissionCheck])[];

/** Reasons checked after the token use was counted. A filled honeypot and a known submission are not errors. */
export const CONTENT_CHECKS = [
  ['rate', checkRate],
  [
    'fields',
    (attempt) => {
      const values = valuesOf(attempt);
      return values instanceof Fault ? values : undefined;
    },
  ],
  ['consent', checkConsent],
  ['form_token', checkAge],
] as const satisfies readonly (readonly [string, SubmissionCheck])[];

/** Returns the first reason for rejecting an attempt. */
export function findRejection(
  reasons: readonly (readonly [string, SubmissionCheck])[],
  attempt: SubmissionAttempt,
): Fault | undefined {
  for (const [, refuse] of reasons) {
    const refusal = refuse(attempt);
    if (refusal) return refusal;
  }
  return undefined;
}
