/** View of an integration, including one that was never connected. */
import type { Caller } from '@suite/chassis/identity';
import type { findIntegration, WorkspaceIntegration } from './integration.ts';
import { integrationStates } from './integration.rules.ts';

const iso = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;

type IntegrationRow = Awaited<ReturnType<typeof findIntegration>>;

const lastError = (health: NonNullable<IntegrationRow>['health'] | undefined) =>
  health?.error_code
    ? {
        code: health.error_code,
        message: health.error_message ?? '',
        at: iso(health.error_at)!,
        count: health.error_count,
      }
    : null;

/** Details of an integration in addition to its row. */
interface IntegrationDetails<Usage> {
  name: WorkspaceIntegration | 'todolist';
  scope?: 'workspace' | 'user';
  caller: Caller;
  /** Current usage. */
  usage: Usage;
  /** Allowed actions of the caller, if they differ from those on workspace integrations. */
  actions?: readonly string[];
}

/** Returns an integration in its current state. */
export function toIntegrationResponse<Settings extends object, Usage extends object>(
  row: IntegrationRow,
  { name, scope = 'workspace', caller, usage, actions }: IntegrationDetails<Usage>,
) {
  const status = row?.status ?? 'not_configured';
  return {
    name,
    scope,
    status,
    settings: (row?.settings ?? null) as Settings | null,
    capabilities: row?.capabilities ?? [],
    connected_at: iso(row?.connected_at),
    connected_by: row?.connected_by ?? null,
    last_sync_at: iso(row?.health?.last_sync_at),
    last_error: lastError(row?.health),
    next_retry_at: iso(row?.health?.next_retry_at),
    usage,
    allowed_actions: [...(actions ?? integrationStates.allowedTo(caller, { status }))],
  };
}
