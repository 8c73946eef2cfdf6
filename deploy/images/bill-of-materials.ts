/** The software bill of materials (SBOM) of an image: every package with code or files in it, in CycloneDX's format. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FromNodePackageJson, License } from '@cyclonedx/cyclonedx-library/Contrib';
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { PackageURL } from 'packageurl-js';
import parseSpdx from 'spdx-expression-parse';

const licences = new License.Factories.LicenseFactory((text) => void parseSpdx(text));
const { Builders, Factories } = FromNodePackageJson;
const builder = new Builders.ComponentBuilder(new Factories.ExternalReferenceFactory(), licences);

/** Returns the component of a package from its package.json. @throws Error if it has no name */
function componentOf(folder: string, type = Enums.ComponentType.Library): Models.Component {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string };
  const component = builder.makeComponent(manifest, type);
  if (!component) throw new Error(`${folder}/package.json has no name.`);
  return component;
}

/** Returns the components of packages. A version in several folders is one component. */
function componentsOf(packages: readonly string[]): Models.Component[] {
  const components = packages.map((folder) => {
    const component = componentOf(folder);
    const { group, name, version } = component;
    component.purl = new PackageURL('npm', group, name, version, undefined, undefined).toString();
    component.bomRef.value = component.purl;
    return [component.purl, component] as const;
  });
  return [...new Map(components).values()];
}

/**
 * Returns the bill of materials as JSON. Has no timestamp and no serial number, so that the same image has the same text.
 * @param root the repository, whose version the image has
 * @param title the name of the image, such as `suite-crm`
 * @param packages the folders of the packages in the image
 */
export function billOfMaterials(root: string, title: string, packages: readonly string[]): string {
  const image = componentOf(root, Enums.ComponentType.Container);
  image.name = title;
  image.bomRef.value = title;
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: image }) });
  for (const component of componentsOf(packages)) {
    image.dependencies.add(component.bomRef);
    bom.components.add(component);
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}
