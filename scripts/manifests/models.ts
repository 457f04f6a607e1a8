import ts from 'typescript';
import { type Manifest, nameOf } from './kustomization.ts';

/** Packages with models of operators' APIs. */
const packages: Readonly<Record<string, string>> = {
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
};
/** Model for the plugin's configuration, taken from the operator. No model is published for the plugin itself. */
const barmanConfiguration =
  '@kubernetes-models/cloudnative-pg/github.com/cloudnative-pg/barman-cloud/pkg/api/BarmanObjectStoreConfiguration';

interface Part {
  name: string;
  value: unknown;
  /** Module with the model. */
  module: string;
  model: string;
}

/**
 * Validates manifests against their kinds' schemas twice: with the schemas' validators, which check values (quantities,
 * limits, required fields), and with TypeScript, which detects unknown fields.
 */
export async function modelProblems(manifests: readonly Manifest[]): Promise<string[]> {
  const parts = manifests.map(partOf);
  const problems: string[] = [];
  for (const part of parts) problems.push(...(await invalidValues(part)));
  return [...problems, ...unknownFields(parts)];
}

function partOf(manifest: Manifest): Part {
  const { apiVersion, kind } = manifest;
  const name = nameOf(manifest);
  if (kind === 'ObjectStore') {
    const spec = (manifest.spec ?? {}) as Record<string, unknown>;
    const others = Object.keys(spec).filter((key) => !['configuration', 'retentionPolicy'].includes(key));
    if (apiVersion !== 'barmancloud.cnpg.io/v1' || others.length > 0)
      throw new Error(`${name}: no model for ${apiVersion} with the fields ${others.join(', ')}`);
    return {
      name,
      value: spec.configuration,
      module: barmanConfiguration,
      model: 'BarmanObjectStoreConfiguration',
    };
  }
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const root = packages[group] ?? 'kubernetes-models';
  return { name, value: manifest, module: `${root}/${apiVersion}/${kind}`, model: kind };
}

async function invalidValues({ name, value, module, model }: Part): Promise<string[]> {
  const models = (await import(module)) as Record<string, new (data: unknown) => { validate(): void }>;
  const Model = models[model];
  if (Model === undefined) return [`${name}: ${module} has no ${model}`];
  try {
    new Model(value).validate();
    return [];
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : error}`];
  }
}

/**
 * Compiles an in-memory file that declares each manifest as a value of its kind's type, and returns the
 * errors.
 */
function unknownFields(parts: readonly Part[]): string[] {
  const path = `${process.cwd()}/scripts/manifests.built.ts`;
  const text = parts
    .flatMap(({ value, module, model }, index) => [
      `import type { I${model} as T${index} } from '${module}';`,
      `export const m${index}: T${index} = ${JSON.stringify(value)};`,
    ])
    .join('\n');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => file === path || fileExists(file);
  host.getSourceFile = (file, ...rest) =>
    file === path ? ts.createSourceFile(file, text, ts.ScriptTarget.ES2024) : getSourceFile(file, ...rest);
  const program = ts.createProgram([path], options, host);
  const source = program.getSourceFile(path);
  if (source === undefined) throw new Error('TypeScript did not read the manifests');
  return ts.getPreEmitDiagnostics(program, source).map(({ start = 0, messageText }) => {
    const { line } = source.getLineAndCharacterOfPosition(start);
    const lines = ts.flattenDiagnosticMessageText(messageText, '\n').split('\n');
    return `${parts[Math.floor(line / 2)]?.name}: ${(lines.at(-1) ?? '').trim()}`;
  });
}
