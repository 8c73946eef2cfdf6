import { choice, Id, Timestamp } from '@suite/chassis/fields';
import { z } from 'zod';
import { Actions } from '@suite/chassis/operations';
import { integrationStates } from './integration.rules.ts';

export const IntegrationName = choice('todolist', 'smsgateway', 'socialpost');

const LastError = z
  .object({
    code: z.string(),
    message: z.string(),
    at: Timestamp,
    count: z.int().describe('Number of consecutive failures, including this one.'),
  })
  .meta({ id: 'IntegrationError' });

/**
 * Returns the fields of all integrations. @param settings specific settings, with masked secrets @param usage usage
 * data
 */
export const integration = <Settings extends z.ZodType, Usage extends z.ZodType>(settings: Settings, usage: Usage) =>
  z.object({
    name: IntegrationName,
    scope: choice('workspace', 'user').describe('Whether the connection belongs to the workspace or to each user.'),
    status: choice('not_configured', 'connected', 'error', 'disabled'),
    settings: settings.nullable(),
    capabilities: z.array(z.string()),
    connected_at: Timestamp.nullable(),
    connected_by: Id.nullable(),
    last_sync_at: Timestamp.nullable().describe('Time of the last successful call to the server.'),
    last_error: LastError.nullable(),
    next_retry_at: Timestamp.nullable().describe('Time of the next call to the server after consecutive failures.'),
    usage,
    allowed_actions: Actions(integrationStates),
  });

/** Result of a connection test, step by step. */
export const ConnectionTest = z
  .object({
    ok: z.boolean(),
    steps: z.array(z.object({ name: z.string(), ok: z.boolean(), duration_ms: z.int(), message: z.string() })),
  })
  .meta({ id: 'ConnectionTest' });
export type ConnectionTest = z.output<typeof ConnectionTest>;
