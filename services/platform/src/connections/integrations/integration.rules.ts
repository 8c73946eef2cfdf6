/** Statuses of an integration, and rules common to all integrations. */
import { fault } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';

/** Lifecycle of a workspace integration. A disabled one is restored with its module. */
export const integrationStates = lifecycle(
  'integration',
  {
    not_configured: { connect: 'connected' },
    connected: { connect: 'connected', fail: 'error', disable: 'disabled', disconnect: 'not_configured' },
    error: { connect: 'connected', recover: 'connected', disable: 'disabled', disconnect: 'not_configured' },
    disabled: { enable: 'connected', disconnect: 'not_configured' },
  },
  {
    actions: {
      connect: 'integration.manage',
      test: { permission: 'integration.manage', in: ['connected', 'error'] },
      disconnect: 'integration.manage',
      fail: { by: ['platform.deliver-sms', 'platform.publish-posts', 'platform.sync-todo-lists'] },
      recover: { by: ['platform.deliver-sms', 'platform.publish-posts', 'platform.sync-todo-lists'] },
      disable: { by: 'platform.switch-integrations' },
      enable: { by: 'platform.switch-integrations' },
    },
  },
);

export const ConnectionFailed = fault(
  422,
  'connection_failed',
  'The connection failed, so nothing was saved. Check the settings.',
);
export const PrivateAddress = fault(
  422,
  'private_address',
  'Private network addresses are not allowed. Enter a public address.',
);
export const MaskedValue = fault(422, 'masked_value', 'This is a masked value. Omit it to keep the current value.');
export const ConnectionChanged = fault(
  409,
  'connection_changed',
  'This connection has changed in the meantime. Reload it and try again.',
);
export const NotConnected = fault(409, 'not_connected', 'This integration is not connected. Connect it first.');

const MASK = '••••';
const VISIBLE_CHARACTERS = 4;

/** Returns a secret as displayed: its last four characters, and at most half of its length. */
export const maskSecret = (secret: string): string =>
  MASK + secret.slice(secret.length - Math.min(VISIBLE_CHARACTERS, Math.floor(secret.length / 2)));

/** Returns true if a text is a masked secret that a user has sent back. */
export const isMasked = (text: string): boolean => text.includes(MASK);

const CREDENTIAL_STATUSES = [401, 403];

/** Returns true if a status means that the server rejects the credentials. */
export const isCredentialStatus = (status: number): boolean => CREDENTIAL_STATUSES.includes(status);

const CONTENT_STATUSES = [400, 406, 409, 413, 415, 422];

/**
 * Returns true if a status means that the server rejects the content, such as an invalid number. The next delivery may
 * succeed.
 */
export const isContentStatus = (status: number): boolean => CONTENT_STATUSES.includes(status);
