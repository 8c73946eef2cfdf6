/** Submissions of web forms. Each creates a lead, or a note on an existing lead. The visitor does not learn which. */
import { openToSites, repeatable } from '@suite/chassis/operations';
import { FormQuery, Submission, SubmissionReceipt } from '../lead-forms/form.schema.ts';
import { command } from '../../operations.ts';
import { prepareSubmission, receiveSubmission } from './submission.ts';
import {
  ConsentRequired,
  FormChanged,
  FormExpired,
  OriginNotAllowed,
  SubmissionIdReused,
  TooFast,
} from './submission.rules.ts';

export const submit = command('POST /api/widget/lead', {
  summary: 'Submit a web form',
  description:
    'Receives a form from a visitor of an allowed page and creates a lead. Repeating a `submission_id` returns the first response. The response does not reveal the result.',
  access: openToSites(),
  query: FormQuery,
  body: Submission,
  reply: repeatable(SubmissionReceipt),
  faults: [OriginNotAllowed, ConsentRequired, FormChanged, FormExpired, TooFast, SubmissionIdReused],
  prepare: (sent) => prepareSubmission(sent),
  handle: ({ prepared, ...context }) => receiveSubmission(context, prepared),
});
