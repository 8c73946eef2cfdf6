import { NotFound } from '@suite/chassis/faults';
import { idOf } from '@suite/chassis/fields';
import { can, ok, removed } from '@suite/chassis/operations';
import { z } from 'zod';
import { type Board, faultsOf, type RecordKind } from '../board/board.ts';
import { command, type Rpc, type CommandContext } from '../../operations.ts';
import { LabelSummary } from '../labels/label.schema.ts';
import { SourceSummary } from '../sources/source.schema.ts';
import { fetchClients, fetchStaff, upsertUserCopies, type PlatformUser, UserLabel } from '@suite/user-copies';
import { MemberInputs } from './member.schema.ts';
import { assign, catalogueOf, type CardMember, type MemberIds, membersOf, unassign } from '../board/members.ts';
import { recordIdIn, lockRecord, recordInPath, recordActivity } from '../board/record.ts';

const MEMBER_SCHEMAS = { label: LabelSummary, source: SourceSummary, user: UserLabel, client: UserLabel };

/** Adds members to a record and returns all its members. Adding an existing member has no effect. */
export async function addMembers<M extends CardMember>(
  context: CommandContext,
  board: Board,
  id: string,
  { member, members, people = [] }: { member: M; members: MemberIds; people?: readonly PlatformUser[] },
): Promise<z.input<(typeof MEMBER_SCHEMAS)[M]>[]> {
  const { db } = context;
  const card = await lockRecord(context, board, id);
  await upsertUserCopies(db, people);
  const added = await assign(db, board.kind, card, members);
  if (added.length > 0) await recordActivity(context, board, card, `${member}_added`, { [`${member}_ids`]: added });
  return (await membersOf(db, board.kind, member)([id])) as z.input<(typeof MEMBER_SCHEMAS)[M]>[];
}

/** Creates the operations that add and remove one kind of member on one kind of record. */
export function memberOperations(
  board: Board,
  member: Exclude<CardMember, 'label'>,
  routes: {
    create: `POST /api/${RecordKind}-${CardMember}/store/{${RecordKind}_id}`;
    remove: `DELETE /api/${RecordKind}-${CardMember}/{${RecordKind}_id}/delete/{${CardMember}_id}`;
  },
) {
  const { kind } = board;
  const access = can(`${kind}.update`);
  const faults = faultsOf(board);
  const named = `${member}_id`;
  const ask = (rpc: Rpc, body: MemberIds) => {
    if (member === 'source') return Promise.resolve([]);
    return member === 'client' ? fetchClients(rpc, { ...body }) : fetchStaff(rpc, { ...body });
  };
  return {
    create: command(routes.create as `POST /api/${string}/{lead_id}`, {
      summary: `Add ${member}s to a ${kind}`,
      description: `Returns all ${member}s of the ${kind}. Adding a ${member} twice has no further effect.`,
      access,
      params: recordInPath(board),
      body: MemberInputs[member],
      reply: ok(z.array(MEMBER_SCHEMAS[member])),
      faults,
      prepare: ({ body, rpc }) => ask(rpc, body),
      handle: ({ params, body, prepared: people, ...context }) =>
        addMembers(context, board, recordIdIn(board, params), { member, members: body, people }),
    }),
    remove: command(routes.remove as `DELETE /api/${string}/{lead_id}/delete/{member_id}`, {
      summary: `Remove a ${member} from a ${kind}`,
      description: `Removes the ${member} and records it in the timeline. Returns 404 if the ${member} is not assigned to the ${kind}.`,
      access,
      params: { ...recordInPath(board), [named]: idOf(catalogueOf(member)) } as Record<
        'lead_id' | 'member_id',
        z.ZodUUID
      >,
      reply: removed,
      faults,
      async handle({ params, ...context }) {
        const card = await lockRecord(context, board, recordIdIn(board, params));
        const id = (params as Record<string, string>)[named] as string;
        if (!(await unassign(context.db, kind, card.id, member, id))) throw NotFound();
        await recordActivity(context, board, card, `${member}_removed`, { [named]: id });
        return { id };
      },
    }),
  };
}
