import { choice, Id, foreignId, inner, input, Money, MoneyOut, refTo } from '@suite/chassis/fields';
import { UserPortrait } from '@suite/user-copies';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { memberActions } from './member.rules.ts';
import { PROJECT_ROLES } from '../../work/access/project.rules.ts';

const Role = choice(...PROJECT_ROLES);

/** Member of a project. */
export const ProjectMember = z
  .object({
    id: Id,
    project_id: Id,
    user_id: Id,
    role: Role,
    hourly_rate: inner(MoneyOut.nullable().describe('`null` for users who do not manage the project.')),
    cost_rate: inner(MoneyOut.nullable().describe('`null` for users who do not manage the project.')),
    user: UserPortrait.nullable(),
    allowed_actions: Actions(memberActions),
  })
  .meta({ id: 'ProjectMember' });

export const MemberInput = input({
  project_id: refTo('projects'),
  user_id: foreignId('platform.user'),
  role: Role.default('member'),
  hourly_rate: Money.nullish(),
  cost_rate: Money.nullish(),
});
export type MemberInput = z.output<typeof MemberInput>;
