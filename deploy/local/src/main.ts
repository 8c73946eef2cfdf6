import { parseArgs } from 'node:util';
import type { Demo } from './demo/demo.ts';
import { LaunchError, sentence } from './launch-error.ts';
import { type Suite, startSuite } from './suite.ts';
import type { SuiteOptions } from './plan.ts';

function readArguments(words: string[]): SuiteOptions {
  try {
    const { values } = parseArgs({
      args: words,
      options: {
        reset: { type: 'boolean', default: false },
        data: { type: 'string' },
        replicas: { type: 'string', default: '' },
        'no-demo': { type: 'boolean', default: false },
      },
    });
    return {
      reset: values.reset,
      demo: !values['no-demo'],
      replicas: readReplicas(values.replicas),
      ...(values.data ? { data: values.data } : {}),
    };
  } catch (error) {
    throw error instanceof LaunchError ? error : new LaunchError(`${sentence(error)} See npm start -- --help.`);
  }
}

function readReplicas(text: string): Record<string, number> {
  const pairs = text.split(',').filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', count = ''] = pair.split('=');
      if (!/^[1-9]$/.test(count)) throw new LaunchError(`--replicas must be name=1 to name=9, not "${pair}".`);
      return [name, Number(count)];
    }),
  );
}

/** Returns the progress output. On a terminal, the last line shows the current step until it is done. */
function progress(): Pick<SuiteOptions, 'say' | 'begin'> {
  if (!process.stdout.isTTY) return { say: (line) => console.log(line) };
  const CLEAR_LINE = '\r\u001B[K';
  return {
    say: (line) => console.log(`${CLEAR_LINE}${line}`),
    begin: (title) => process.stdout.write(`… ${title}`),
  };
}

/** Returns the summary of a started suite: address, logins and the first two calls to try. */
function greeting({ url, port, demo, processes, data }: Suite): string {
  const logins = demo?.logins.map(({ role, email }) => `    ${email.padEnd(32)} ${role}`) ?? [];
  const replicas = Object.values(processes).filter(({ name }) => /-\d+$/.test(name));
  return [
    '',
    `  The suite is ready:  ${url} (API reference: /docs)`,
    ...(demo ? [`  Demo logins, all with the password ${demo.password}`, ...logins] : []),
    ...replicas.map(({ name, url: address, grpc }) => `  Replica ${name}: ${address} (gRPC ${grpc})`),
    `  Logs and data:       ${data}`,
    ...(demo ? ['', '  Next, in another terminal:', ...firstCalls(port, demo).map((line) => `    ${line}`), ''] : []),
    '  Ctrl-C stops everything.',
    '',
  ].join('\n');
}

/** Returns two commands: sign in as the owner of the demo workspace, and send a request with the token. */
function firstCalls(port: number, { logins, password }: Demo): string[] {
  const body = JSON.stringify({ email: logins[0]?.email, password });
  const login = `curl -s localhost:${port}/api/login -H 'content-type: application/json' -d '${body}'`;
  return [
    `token=$(${login} | node -p 'JSON.parse(fs.readFileSync(0)).data.access_token')`,
    `curl -s localhost:${port}/api/user -H "authorization: Bearer $token"`,
  ];
}

async function main(words: string[]): Promise<void> {
  const options = readArguments(words);
  const interrupt = new AbortController();
  const interrupted = new Promise<void>((resolve) => interrupt.signal.addEventListener('abort', () => resolve()));
  let suite: Suite | null = null;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!interrupt.signal.aborted) {
        console.log('\nStopping. Press Ctrl-C again to end everything immediately.');
        interrupt.abort();
      } else if (suite) suite.kill();
      // No suite exists yet to stop: the guards of the started processes end them.
      else process.exit(1);
    });
  }
  try {
    suite = await startSuite({ ...options, signal: interrupt.signal, ...progress() });
  } catch (error) {
    if (interrupt.signal.aborted) return;
    throw error;
  }
  console.log(greeting(suite));
  await interrupted;
  await suite.stop();
  console.log('Everything has stopped.');
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(
    `\n${error instanceof LaunchError ? error.message : error instanceof Error ? error.stack : String(error)}`,
  );
  process.exitCode = 1;
}
process.exit();
