# Keeps the network of a pod. The pause image of podman would need a program that Debian does not install with podman.
FROM docker.io/library/node:24-slim
CMD ["sleep", "infinity"]
