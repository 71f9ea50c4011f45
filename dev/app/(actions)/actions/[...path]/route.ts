import config from '@payload-config'
import { actionRoutes } from 'payload-storeconnect/next'

export const { DELETE, GET, HEAD, PATCH, POST, PUT } = actionRoutes(config)
