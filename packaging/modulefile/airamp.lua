-- Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
-- For Lmod. It lies below share/modulefiles of the folder that AIRamp is installed in, wherever that is.
-- Nothing here loads AIRamp into a program: LD_PRELOAD in a shell would load it into launchers and every other command.

local version = myModuleVersion()
local root = myFileName():gsub("/share/modulefiles/airamp/[^/]*$", "")

whatis("Name: AIRamp for MPI")
whatis("Version: " .. version)
whatis("Description: faster collectives for unmodified MPI programs")
help([[
AIRamp makes the collectives of unmodified MPI programs faster. Start a program with it:

    mpirun -n 4 airamp exec -- ./app        Open MPI, MPICH
    srun airamp exec -- ./app               Slurm

Loading this module changes no program. man airamp-exec lists the settings.
]])

conflict("airamp")
setenv("AIRAMP_HOME", root)
prepend_path("PATH", pathJoin(root, "bin"))
prepend_path("MANPATH", pathJoin(root, "share", "man"))
prepend_path("CMAKE_PREFIX_PATH", root)
for _, folder in ipairs({ "lib", "lib64" }) do
    if isDir(pathJoin(root, folder, "pkgconfig")) then
        prepend_path("PKG_CONFIG_PATH", pathJoin(root, folder, "pkgconfig"))
    end
end
