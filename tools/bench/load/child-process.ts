/** Processes beside the suite: the load and the baselines. Each answers over a channel and ends with whoever started it. */
import { fork } from 'node:child_process';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** A process that was started for the bench. */
export interface ChildProcess {
  pid: number;
  /** Where it listens, when it does. */
  url: string;
  /** Asks it; one question at a time. */
  ask<Answer>(question: object): Promise<Answer>;
  stop(): void;
}

/** Starts a script with settings; resolves when it says that it is ready. */
export async function startChildProcess(script: URL, settings: object): Promise<ChildProcess> {
  const child = fork(fileURLToPath(script), [JSON.stringify(settings)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const next = <Message>() =>
    new Promise<Message>((resolve, reject) => {
      const lost = () => reject(new Error(`${script.pathname} ended.`));
      child.once('exit', lost);
      child.once('message', (message) => {
        child.off('exit', lost);
        resolve(message as Message);
      });
    });
  const { port } = await next<{ port: number }>();
  return {
    pid: child.pid as number,
    url: `http://127.0.0.1:${port}`,
    ask(question) {
      child.send(question);
      return next();
    },
    stop: () => void child.kill(),
  };
}

/** In a companion: tells whoever started it that it is ready, and answers questions. */
export function serveParent<Question>(
  { port = 0 }: { port?: number },
  answer?: (question: Question) => Promise<object>,
): void {
  process.on('disconnect', () => process.exit());
  if (answer) {
    process.on('message', (question) => {
      answer(question as Question).then(
        (found) => process.send?.(found),
        (error: unknown) => {
          throw error;
        },
      );
    });
  }
  process.send?.({ port });
}

/** In a companion: listens wherever there is a free port, and says so. */
export function listenForParent(server: Server): void {
  server.listen(0, '127.0.0.1', () => serveParent({ port: (server.address() as AddressInfo).port }));
}

/** In a companion: the settings that it was started with. */
export const childSettings = <Settings>(): Settings => JSON.parse(process.argv[2] as string) as Settings;
