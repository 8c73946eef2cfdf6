import { extractImages, extractText, getDocumentProxy } from 'unpdf';

/** Returns the text of a PDF, page by page. @throws if it is not a PDF */
export async function pagesOf(pdf: Uint8Array): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)));
  return text;
}

/** Returns the sizes of the images on a page of a PDF. */
export async function imagesOf(pdf: Uint8Array, page = 1): Promise<{ width: number; height: number }[]> {
  const images = await extractImages(await getDocumentProxy(new Uint8Array(pdf)), page);
  return images.map(({ width, height }) => ({ width, height }));
}

interface StructureNode {
  role?: string;
  children?: readonly StructureNode[];
}

const rolesIn = ({ role, children = [] }: StructureNode): string[] => [
  ...(role ? [role] : []),
  ...children.flatMap(rolesIn),
];

/** Returns the structure of a PDF for screen readers: its language, title and the kinds of its parts. */
export async function structureOf(pdf: Uint8Array) {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const { info } = (await document.getMetadata()) as { info: { Language?: string; Title?: string } };
  const numbers = Array.from({ length: document.numPages }, (_, at) => at + 1);
  const trees = await Promise.all(numbers.map(async (at) => await (await document.getPage(at)).getStructTree()));
  const roles = trees.flatMap((tree) => rolesIn((tree ?? {}) as StructureNode));
  return {
    language: info.Language,
    title: info.Title,
    is_tagged: (await document.getMarkInfo())?.Marked === true,
    roles,
  };
}

/** Returns the words of a PDF page, each with its distance from the left and its width. */
export async function wordsOf(pdf: Uint8Array, page = 1): Promise<{ text: string; left: number; width: number }[]> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const { items } = await (await document.getPage(page)).getTextContent();
  return items.flatMap((word) =>
    'str' in word && word.str.trim() !== ''
      ? [{ text: word.str.trim(), left: Number(word.transform[4]), width: word.width }]
      : [],
  );
}

/** Returns the fonts of a PDF page, such as `NotoSansJP-Regular`. */
export async function fontNamesOf(pdf: Uint8Array, page = 1): Promise<string[]> {
  const shown = await (await getDocumentProxy(new Uint8Array(pdf))).getPage(page);
  const { items } = await shown.getTextContent();
  await shown.getOperatorList();
  const ids = new Set(items.flatMap((word) => ('fontName' in word ? [word.fontName] : [])));
  return [...ids].map((id) => (shown.commonObjs.get(id) as { name: string }).name.replace(/^[A-Z]{6}\+/, ''));
}
