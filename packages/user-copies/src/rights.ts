/** Callers with the current rights that platform states. */
import { Id } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import type { UserRights } from '@suite/proto/platform/v1/platform';
import { z } from 'zod';

const KINDS = ['owner', 'staff', 'client', 'vendor'] as const;
const SCOPES = ['own', 'team', 'all'] as const;

/** Rights in a request from platform. */
export const UserRightsInput: z.ZodType<UserRights> = z.looseObject({
  user: z.looseObject({ user_id: Id, name: z.string(), kind: z.enum(KINDS) }),
  role: z.string(),
  permissions: z.array(z.string()),
  record_scopes: z.record(z.string(), z.enum(SCOPES)),
  modules: z.array(z.string()),
  timezone: z.string(),
  currency: z.string(),
  team: z.array(Id),
}) as never;

/** Returns the caller of a request that states their rights. */
export function callerWithRights(
  stated: UserRights | undefined,
  { user_id, workspace_id }: Pick<Caller, 'user_id' | 'workspace_id'>,
): Caller {
  const { user, team, ...rights } = stated!;
  const { name: user_name, kind } = user!;
  const { role, permissions, modules, timezone, currency } = rights;
  const record_scopes = rights.record_scopes as Caller['record_scopes'];
  const known = { user_id, user_name, workspace_id, role, permissions, modules, timezone, currency, record_scopes };
  return { ...known, kind: kind as Caller['kind'], ...(team.length > 0 && { team }) };
}
