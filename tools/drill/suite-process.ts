/** The process of a suite that a drill may lose: `node suite-process.ts <data folder>`. It ends with the drill. */
import { startSuite } from '@suite/local/suite';
import { UNLIMITED } from '@suite/testing/starting/limits';
import type { SuiteAccess } from '@suite/testing/suite/workspace';

/** A request of the drill: an orderly end, the loss of the machine, or a process that no longer responds. */
export type Order = 'stop' | 'lose' | { freeze: string };

async function run(data: string): Promise<void> {
  const suite = await startSuite({
    data,
    port: 'free',
    demo: false,
    environment: { LOG_LEVEL: 'warn', RATE_LIMITS: JSON.stringify(UNLIMITED) },
  });
  process.on('disconnect', () => suite.kill());
  process.on('message', async (order: Order) => {
    if (typeof order === 'object') {
      process.kill(Number(suite.processes[order.freeze]?.pid()), 'SIGSTOP');
      process.send?.('frozen');
      return;
    }
    if (order === 'lose') {
      suite.kill();
      // The supervision in this process would start the servers again.
      process.kill(process.pid, 'SIGKILL');
    }
    await suite.stop();
    process.exit();
  });
  const { url, databases, processes } = suite;
  process.send?.({ url, data, databases, gateway: String(processes['gateway']?.url) } satisfies SuiteAccess);
}

try {
  await run(process.argv[2] ?? '');
} catch (error) {
  console.error(error);
  process.exit(1);
}
