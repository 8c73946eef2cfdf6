/** Processes next to the suite: the load and the baselines. Each answers over a channel and ends with its parent. */
import { fork } from 'node:child_process';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** A process started for the bench. */
export interface ChildProcess {
  pid: number;
  /** Address of the process's server, if it has one. */
  url: string;
  /** Sends a request and returns the response. Handles one request at a time. */
  ask<Answer>(question: object): Promise<Answer>;
  stop(): void;
}

/** Starts a script with settings. Resolves when the script reports that it is ready. */
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

/** Runs in a child process: reports to the parent when it is ready, and answers questions. */
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

/** Runs in a child process: listens on a free port and reports the port to the parent. */
export function listenForParent(server: Server): void {
  server.listen(0, '127.0.0.1', () => serveParent({ port: (server.address() as AddressInfo).port }));
}

/** Returns the start settings of the child process. */
export const childSettings = <Settings>(): Settings => JSON.parse(process.argv[2] as string) as Settings;
