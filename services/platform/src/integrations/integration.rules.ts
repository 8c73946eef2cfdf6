/** The states of an integration, and the rules that all of them share. */
import { fault, lifecycle } from '@suite/chassis';

/** Integrations of a workspace. One that is disabled comes back with its module. */
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
export const PrivateAddress = fault(422, 'private_address', 'Private network addresses are not allowed.');
export const MaskedValue = fault(
  422,
  'masked_value',
  'This is a masked value. Leave it out to keep the current value.',
);
export const ConnectionChanged = fault(
  409,
  'connection_changed',
  'This connection has changed in the meantime. Reload it and try again.',
);
export const NotConnected = fault(409, 'not_connected', 'This integration is not connected.');

const MASK = '••••';
const SHOWN = 4;

/** A secret as it is shown: its last four characters, and never more than half of it. */
export const masked = (secret: string): string =>
  MASK + secret.slice(secret.length - Math.min(SHOWN, Math.floor(secret.length / 2)));

/** Whether somebody sends back what he was shown. */
export const isMasked = (text: string): boolean => text.includes(MASK);

const REFUSED = [401, 403];

/** Whether a server refuses the credentials themselves. */
export const isRefusal = (status: number): boolean => REFUSED.includes(status);

const CONTENT_REFUSED = [400, 406, 409, 413, 415, 422];

/** Whether a server refuses what it was sent, such as a number that is none: the next one may be welcome. */
export const isAboutContent = (status: number): boolean => CONTENT_REFUSED.includes(status);
