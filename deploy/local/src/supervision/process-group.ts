import { type Job, type Supervised, supervise } from './supervisor.ts';

/** Everything that runs, in the order in which it was started: it is stopped in the opposite one. */
export class ProcessGroup {
  readonly members: Supervised[] = [];
  #stages: Supervised[][] = [];

  /** Starts several processes at once and waits until all are ready; the first that cannot be started ends the wait. */
  async start(jobs: Job[]): Promise<void> {
    const stage = jobs.map(supervise);
    this.#stages.push(stage);
    this.members.push(...stage);
    await Promise.all(stage.map((member) => member.started));
  }

  /** Stops the last stage first: the gateway, then the services, then the servers that they need. */
  async stop(): Promise<void> {
    for (const stage of this.#stages.toReversed()) await Promise.all(stage.map((member) => member.stop()));
  }

  /** Ends all at once, for somebody who does not want to wait. */
  kill(): void {
    for (const member of this.members) member.kill('SIGKILL');
  }
}
