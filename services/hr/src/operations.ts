import type { WorkspaceDatabase } from '@suite/chassis/database';
import type { Caller, Keys } from '@suite/chassis/identity';
import { type Emit, operations } from '@suite/chassis/operations';
import type { Clients } from '@suite/chassis/rpc';
import { consumers } from '@suite/chassis/service';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import type { PrismaClient } from './generated/client.ts';

/** Services that hr calls. */
export const calls = { platform: PlatformServiceDefinition, finance: FinanceServiceDefinition };

export type Db = WorkspaceDatabase<PrismaClient>;
export type Rpc = Clients<typeof calls>;

/** Operation builders of the plan module `hrm`. */
export const { query, command } = operations<Db, Rpc>({ module: 'hrm' });
export const on = consumers<Db>();

/** Context of a command that works with encrypted fields. */
export interface CommandContext {
  db: Db;
  caller: Caller;
  emit: Emit;
  keys: Pick<Keys, 'master'>;
}
