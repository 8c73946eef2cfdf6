import { type Job, type SupervisedProcess, supervise } from './supervisor.ts';

/** All running processes in start order. They are stopped in reverse order. */
export class ProcessGroup {
  readonly members: SupervisedProcess[] = [];
  #stages: SupervisedProcess[][] = [];

  /**
   * Starts several processes concurrently and waits until all are ready. The first one that cannot be started ends the
   * wait.
   */
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

  /** Ends all processes immediately, without an orderly stop. */
  kill(): void {
    for (const member of this.members) member.kill('SIGKILL');
  }
}
