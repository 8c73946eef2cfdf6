import { type WorkspaceDatabase, serializer } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type Emit, operations } from '@suite/chassis/operations';
import type { Clients } from '@suite/chassis/rpc';
import { consumers } from '@suite/chassis/service';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import type { PrismaClient } from './generated/client.ts';

/** Services that support calls. */
export const calls = { platform: PlatformServiceDefinition, finance: FinanceServiceDefinition };

export type Db = WorkspaceDatabase<PrismaClient>;
export type Rpc = Clients<typeof calls>;

/** Operation builders of the plan module `support`. */
export const { query, command } = operations<Db, Rpc>({ module: 'support' });
export const on = consumers<Db, Rpc>();

/** Context of a command. */
export interface CommandContext {
  db: Db;
  caller: Caller;
  emit: Emit;
}

/** Locks of rules over several rows. */
export const serializeOn = serializer<'faqs' | 'article slugs' | 'sla policies'>();
