import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, parseDocument } from 'yaml';
import { type Operation, patched } from './json-patch.ts';

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  spec?: unknown;
  data?: unknown;
}

interface Kustomization {
  apiVersion: string;
  kind: string;
  namespace?: string;
  resources: string[];
  images?: { name: string; newName?: string; newTag?: string }[];
  patches?: { target: { kind: string; name?: string }; patch: string }[];
}

/**
 * Supported fields: a subset of Kustomize's fields, small enough that there is only one way to build a file.
 */
const known = ['apiVersion', 'kind', 'namespace', 'resources', 'images', 'patches'];

/**
 * Builds a folder's kustomization from its resources, then applies JSON patches, images and the namespace.
 * @param seen collects every file that is read
 * @throws Error with a message if something is invalid
 */
export function buildKustomization(folder: string, seen: Set<string>): Manifest[] {
  const path = join(folder, 'kustomization.yaml');
  seen.add(path);
  const kustomization = parsed(readFileSync(path, 'utf8'), path) as Kustomization;
  const unknown = Object.keys(kustomization).filter((field) => !known.includes(field));
  if (unknown.length > 0)
    throw new Error(
      `${path} has ${unknown.join(', ')}, which is not supported; use only ${known.join(', ')}`,
    );
  const built = kustomization.resources.flatMap((resource) => {
    const place = join(folder, resource);
    if (!existsSync(place)) throw new Error(`${path} names ${resource}, which does not exist`);
    return statSync(place).isDirectory() ? buildKustomization(place, seen) : readManifests(place, seen);
  });
  const withPatches = (kustomization.patches ?? []).reduce(
    (manifests, patch) => applied(manifests, patch, path),
    built,
  );
  for (const [index, manifest] of withPatches.entries())
    if (withPatches.findIndex((other) => nameOf(other) === nameOf(manifest)) !== index)
      throw new Error(`${path} has ${nameOf(manifest)} twice`);
  return withPatches
    .map((manifest) => withImages(manifest, kustomization.images ?? []))
    .map((manifest) => withNamespace(manifest, kustomization.namespace));
}

export const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata?.name}`;

function readManifests(path: string, seen: Set<string>): Manifest[] {
  seen.add(path);
  return parseAllDocuments(readFileSync(path, 'utf8')).map((document) => {
    const problem = [...document.errors, ...document.warnings][0];
    if (problem !== undefined) throw new Error(`${path}: ${problem.message}`);
    return document.toJS() as Manifest;
  });
}

function parsed(text: string, path: string): unknown {
  const document = parseDocument(text);
  const problem = [...document.errors, ...document.warnings][0];
  if (problem !== undefined) throw new Error(`${path}: ${problem.message}`);
  return document.toJS();
}

function applied(
  manifests: Manifest[],
  { target, patch }: NonNullable<Kustomization['patches']>[number],
  path: string,
): Manifest[] {
  const operations = parsed(patch, `${path}, a patch`) as Operation[];
  const isTarget = ({ kind, metadata }: Manifest): boolean =>
    kind === target.kind && (target.name === undefined || metadata.name === target.name);
  if (!manifests.some(isTarget))
    throw new Error(`${path} patches ${target.kind} ${target.name ?? ''}, which does not exist`);
  return manifests.map((manifest) => {
    if (!isTarget(manifest)) return manifest;
    try {
      return patched(manifest, operations);
    } catch (error) {
      throw new Error(`${path}, ${nameOf(manifest)}: ${error instanceof Error ? error.message : error}`);
    }
  });
}

function withImages(manifest: Manifest, images: NonNullable<Kustomization['images']>): Manifest {
  return mapped(manifest, (key, value) => {
    if (key !== 'image' || typeof value !== 'string') return value;
    const at = value.lastIndexOf(':');
    const image = images.find(({ name }) => name === value.slice(0, at));
    return image === undefined
      ? value
      : `${image.newName ?? image.name}:${image.newTag ?? value.slice(at + 1)}`;
  });
}

const withNamespace = (manifest: Manifest, namespace: string | undefined): Manifest =>
  namespace === undefined || manifest.kind === 'Namespace'
    ? manifest
    : { ...manifest, metadata: { ...manifest.metadata, namespace } };

const mapped = (value: Manifest, change: (key: string, value: unknown) => unknown): Manifest =>
  JSON.parse(JSON.stringify(value), change) as Manifest;
