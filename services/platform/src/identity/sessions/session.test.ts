import { randomUUID } from 'node:crypto';
import { exclusionConformance, start } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { openWorkspace } from '../../../test/workspace.ts';

const platform = await start({ ...contents, schedules: [] });
const { id: workspace, users } = await openWorkspace(platform);

exclusionConformance({
  contents,
  serving: platform,
  excluded: { workspace, user_id: users.staff, can: ['account.view', 'account.update'], api_key_id: randomUUID() },
  code: 'session_required',
  conditional: {
    'account.editProfile': 'an API key can change everything but the e-mail address',
    'apiKeys.create': 'requires a permission, which is checked first',
  },
});
