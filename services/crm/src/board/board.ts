/** A board: the stages of a pipeline as columns, leads or deals as cards. Both kinds move by the same rules. */
import type { Caller, Emit, FaultMaker, Sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

export type RecordKind = 'lead' | 'deal';
export type StageType = 'open' | 'ongoing' | 'on_hold' | 'won' | 'lost';

/** The status that a stage gives to its cards. */
export type Outcome = 'open' | 'won' | 'lost';

/** The differences between the board of leads and the board of deals. */
export interface Board {
  kind: RecordKind;
  /** Why a card takes no more changes, if it does not. */
  closed?: { status: Card['status']; fault: FaultMaker };
  /** The status that a card has in a stage of this type. */
  outcomeOf(type: StageType): Outcome;
  /** Gives a card the status of the stage that it goes to, with what else changes then. */
  settle(db: Db, id: string, outcome: Outcome, patch: object): Promise<unknown>;
  /** The condition of the cards on the board; a converted lead has left it. */
  onShow: Sql;
  /** The figures of a column: computed columns of the stage. */
  figures(caller: Caller): Record<string, Sql>;
  announceMove(emit: Emit, id: string, from_stage_id: string, to_stage_id: string): void;
  announceOutcome(db: Db, emit: Emit, id: string, outcome: Outcome, reason: string | undefined): Promise<void>;
}

/** The names of a board's tables and of the column that points at a card. */
export const namesOf = ({ kind }: { kind: RecordKind }) => ({
  cards: `${kind}s` as const,
  stages: `${kind}_stages` as const,
  key: `${kind}_id` as const,
});

/** The stages of a board. Both kinds have the same columns, but for `probability`; only here the compiler is told so. */
export const stagesOf = (db: Db, { kind }: { kind: RecordKind }): Db['leadStage'] =>
  kind === 'lead' ? db.leadStage : (db.dealStage as unknown as Db['leadStage']);

/** The cards of a board, as far as both kinds have the same columns. */
export const cardsOf = (db: Db, { kind }: { kind: RecordKind }): Db['lead'] =>
  kind === 'lead' ? db.lead : (db.deal as unknown as Db['lead']);

export interface Card {
  id: string;
  pipeline_id: string;
  stage_id: string;
  status: Outcome | 'converted';
  version: number;
}

export interface Stage {
  id: string;
  pipeline_id: string;
  name: string;
  type: StageType;
}

/** Refuses changes of a card that is closed. */
export function assertOpen({ closed }: Board, { status }: Card): void {
  if (closed?.status === status) throw closed.fault();
}

/** The faults that `assertOpen` throws. */
export const faultsOf = ({ closed }: Board): FaultMaker[] => (closed ? [closed.fault] : []);
