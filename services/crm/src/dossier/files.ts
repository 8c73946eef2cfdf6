import type { FileLinks } from '@suite/chassis';
import type { Kind } from '../board/board.ts';
import type { StoredObject } from './dossier.ts';

const LINK_LIFE_S = 15 * 60;

/** A link that opens a stored file for a while, without a token. */
export const fileAddress = (links: FileLinks, kind: Kind, { key, name, mime }: StoredObject): string =>
  `/api/${kind}-file/download/${links.sign({ key, name, mime }, LINK_LIFE_S)}`;
