/** Returns the path of nats-server; installs it if it is missing. @throws Error with a sentence for the user */
export function provideNatsServer(
  environment: { NATS_SERVER?: string | undefined; PATH?: string | undefined },
  say: (line: string) => void,
): string;
