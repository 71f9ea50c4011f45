import process from 'node:process'
import { withPayload } from '@payloadcms/next/withPayload'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const projectDirectory = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

/** @type {import('next').NextConfig} */
const config = {
  devIndicators: false,
  // A fifth less work to build, and a trace of an error can be read.
  experimental: { turbopackMinify: { server: false } },
  // Two builds of the store can be live at once.
  distDir: process.env.STORE_BUILD || '.next',
  // The store imports the plugin by its own name, so the project's package.json has to be inside.
  outputFileTracingRoot: projectDirectory,
  turbopack: { root: projectDirectory },
  // `npm run types` looks at the types, once, of the store and everything else.
  typescript: { ignoreBuildErrors: true },
}

export default withPayload(config)
