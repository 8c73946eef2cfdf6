import { openDatabase, readSettings } from '@suite/chassis';
import { z } from 'zod';
import { PrismaClient } from '../generated/client.ts';

/** What the commands of this folder read from the environment. @throws an Error that says in one sentence what is wrong */
export const settings = () =>
  readSettings({
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
    /** Where platform's demo has written who is there. */
    DEMO_FILE: z.string().min(1),
  });

/** Opens finance's database as the running service does, but without ports. */
export const openFinanceDatabase = (url: string) =>
  openDatabase({ url, max: 2, makeClient: (adapter) => new PrismaClient({ adapter }), onCommit: () => undefined });
