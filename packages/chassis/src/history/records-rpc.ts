/** The gRPC service of every service with records: the history of a record, and the changes for the feed of a workspace. */
import { RecordServiceDefinition } from '@suite/proto/records/v1/records';
import { z } from 'zod';
import type { RowReader } from '../database/database.ts';
import { methods, serveMethods } from '../rpc/method.ts';
import type { ServedRpc } from '../rpc/rpc.ts';
import { Id } from '../schema/fields.ts';
import { describeChanges } from './described-changes.ts';
import { readHistory } from './history.ts';
import { readNewChanges } from './new-changes.ts';
import { changeMessage } from './record-change.ts';
import type { RecordType } from './record-type.ts';

const PAGE_MAX = 100;
const OFFSET_MAX = 10_000;
const COMMANDS_MAX = 1_000;

const method = methods<RowReader>();
const { listChanges, listNewChanges, describeChanges: describe } = RecordServiceDefinition.methods;

const Number64 = z.string().regex(/^\d{1,20}$/);
const Place = z.object({
  epoch: Number64,
  settled: Number64,
  since: z.iso.datetime({ offset: true }),
  floor: Number64,
  next_floor: Number64,
  next_settled: Number64,
  until: Number64.optional(),
  resume: Number64.optional(),
});
const Reference = z.object({
  position: Number64,
  number: z.int().min(1),
  record_type: z.string(),
  record_id: Id,
});

/** Serves the records of a service. @param only the services that may call it */
export const serveRecords = (types: readonly RecordType[], only: readonly string[]): ServedRpc =>
  serveMethods(RecordServiceDefinition, {
    listChanges: method(listChanges, {
      summary: 'List the changes of a record',
      only,
      input: z.object({
        record_type: z.string(),
        record_id: Id,
        offset: z.int().min(0).max(OFFSET_MAX),
        limit: z.int().min(1).max(PAGE_MAX),
      }),
      async handle({ db, input, caller }) {
        const { changes, total } = await readHistory(db, types, input, caller);
        return { changes: changes.map(changeMessage), total };
      },
    }),

    listNewChanges: method(listNewChanges, {
      summary: 'List the next changes of the workspace, without values and for any caller',
      only,
      input: z.object({ after: Place.optional(), limit: z.int().min(1).max(COMMANDS_MAX) }),
      handle: ({ db, input }) => readNewChanges(db, types, input),
    }),

    describeChanges: method(describe, {
      summary: 'Describe changes as the caller sees them',
      only,
      input: z.object({ changes: z.array(Reference).max(PAGE_MAX) }),
      async handle({ db, input, caller }) {
        const changes = await describeChanges(db, types, input.changes, caller);
        return { changes: changes.map(({ change, ...place }) => ({ ...place, change: changeMessage(change) })) };
      },
    }),
  });
